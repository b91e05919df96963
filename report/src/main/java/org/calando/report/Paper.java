package org.calando.report;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A paper whose published figures are set beside a study's. Found as services, in the order in
 * which services are listed. Implementations are stateless and thread safe.
 */
public interface Paper {
  /** Its name in study files, such as {@code li-2013}. */
  String name();

  /**
   * Judges all of its claims; those that a study of another shape has nothing to say of, such as
   * layouts, are left out.
   *
   * @param rows the study's runs
   * @return the claims in the paper's order
   */
  List<PublishedClaim> judge(List<RunRow> rows);

  /** All papers on the class path. */
  static List<Paper> all() {
    return ServiceLoader.load(Paper.class).stream().map(ServiceLoader.Provider::get).toList();
  }

  /** The paper of a name, if there is one. */
  static Optional<Paper> named(String name) {
    return all().stream().filter(paper -> paper.name().equals(name)).findFirst();
  }
}
