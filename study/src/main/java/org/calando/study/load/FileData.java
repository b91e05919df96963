package org.calando.study.load;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.store.FileStore;
import org.calando.core.workload.PhraseText;
import org.calando.load.file.FileCatalog;
import org.calando.load.file.KnownFile;
import org.calando.studyfile.workload.FileWork;
import org.jspecify.annotations.Nullable;

/**
 * The files of a study on its cluster: those that all runs of a workload read, and those of a run,
 * which are removed after it. Not thread safe.
 */
public final class FileData {
  private static final int MOST_PIECE_BYTES = 1 << 20;

  private final FileStore store;
  private final int replication;
  private final long seed;
  private final List<KnownFile> old = new ArrayList<>();
  private final List<PhraseText> texts = new ArrayList<>();
  private @Nullable FileWork work;
  private int sets;
  private int runs;

  /**
   * Nothing is written yet.
   *
   * @param replication of all files
   * @param seed of what they hold
   */
  public FileData(FileStore store, int replication, long seed) {
    this.store = store;
    this.replication = replication;
    this.seed = seed;
  }

  /** Whether there are the files that a workload reads. */
  public boolean isPrepared(FileWork wanted) {
    return wanted.equals(work);
  }

  /** Writes the files that a workload reads in place of another's, unless they are there. */
  public void prepare(FileWork wanted) {
    if (isPrepared(wanted)) {
      return;
    }
    if (sets > 0) {
      store.delete(folder());
    }
    work = null;
    old.clear();
    texts.clear();
    sets++;
    for (int i = 0; i < wanted.files(); i++) {
      PhraseText text = new PhraseText(seed, i, wanted.fileBytes());
      old.add(write(folder() + "/part-" + i, text, wanted));
      texts.add(text);
    }
    work = wanted;
  }

  private String folder() {
    return "old-" + sets;
  }

  private KnownFile write(String path, PhraseText text, FileWork of) {
    return KnownFile.write(store, path, shape(of), text::next, pieceBytes(of));
  }

  public FileStore.Shape shape(FileWork of) {
    return new FileStore.Shape(replication, of.blockBytes());
  }

  private static int pieceBytes(FileWork of) {
    return of instanceof FileWork.Streams streams
        ? streams.pieceBytes()
        : (int) Math.min(MOST_PIECE_BYTES, of.blockBytes());
  }

  /** What can be read when a run begins. */
  public FileCatalog catalog() {
    FileCatalog catalog = new FileCatalog();
    old.forEach(catalog::add);
    return catalog;
  }

  /** Below which a run writes its own files; another one for each run. */
  public String beginRun() {
    runs++;
    return runFolder();
  }

  private String runFolder() {
    return "new-" + runs;
  }

  /**
   * Writes the file that a grep searches with the others, if it is to have one.
   *
   * @return the matches of a pattern in all files
   */
  public long writeNew(FileWork.Grep grep, String pattern) {
    long matches = texts.stream().mapToLong(text -> text.matches(pattern)).sum();
    if (grep.newBytes() > 0) {
      PhraseText text = new PhraseText(seed, grep.files() + runs, grep.newBytes());
      write(runFolder() + "/part-0", text, grep);
      matches += text.matches(pattern);
    }
    return matches;
  }

  /** Removes what the last run wrote. */
  public void endRun() {
    store.delete(runFolder());
  }
}
