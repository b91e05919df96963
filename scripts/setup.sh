# Shared by ./calando, ./test and .ci/run: makes sure that the machine has what the build needs, and
# builds what is missing or older than its sources. Sourced, with $home set to the project's folder.

# Exactly 17: Cassandra 5.0 runs on no newer one.
find_jdk() {
  path_javac=$(command -v javac || true)
  [ -z "$path_javac" ] || path_javac=$(dirname "$(dirname "$(readlink -f "$path_javac")")")
  for jdk in "${JAVA_HOME:-}" "$path_javac" /usr/lib/jvm/*17*; do
    if [ -n "$jdk" ] && [ -x "$jdk/bin/javac" ] && \
        "$jdk/bin/javac" -version 2>&1 | grep -q '^javac 17[.]'; then
      echo "$jdk"
      return 0
    fi
  done
}

# The packages that are missing, by Debian's names.
calando_packages() {
  [ -n "$(find_jdk)" ] || echo openjdk-17-jdk-headless
  command -v mvn >/dev/null 2>&1 || echo maven
  command -v setsid >/dev/null 2>&1 || echo util-linux
  command -v flock >/dev/null 2>&1 || echo util-linux
  command -v git >/dev/null 2>&1 || echo git
}

# What the tests need besides: real instruments to read, a browser to look at reports with, and Redis.
test_packages() {
  command -v snmpd >/dev/null 2>&1 || [ -x /usr/sbin/snmpd ] || echo snmpd
  command -v prometheus >/dev/null 2>&1 || echo prometheus
  command -v prometheus-node-exporter >/dev/null 2>&1 || echo prometheus-node-exporter
  command -v ipmitool >/dev/null 2>&1 || echo ipmitool
  command -v ipmi_sim >/dev/null 2>&1 || echo openipmi
  command -v chromium >/dev/null 2>&1 || echo chromium
  command -v redis-server >/dev/null 2>&1 || echo redis-server
  command -v gcc >/dev/null 2>&1 || echo gcc
  [ -e /usr/include/features.h ] || echo libc6-dev
  command -v setpriv >/dev/null 2>&1 || echo util-linux
}

# Packages that bring servers start them when they are installed; ours are started by tests only.
keep_services_off() {
  policy=/usr/sbin/policy-rc.d
  [ ! -e "$policy" ] || return 0
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
  policy_is_ours=yes
}

let_services_be() {
  [ "${policy_is_ours:-no}" = no ] || rm -f /usr/sbin/policy-rc.d
  policy_is_ours=no
}

# ensure_packages [test]: installs what is missing, for the tests too if asked.
ensure_packages() {
  missing=$({ calando_packages; [ "${1:-}" != test ] || test_packages; } | sort -u | tr '\n' ' ')
  if [ -z "$missing" ]; then
    use_jdk
    return 0
  fi
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "calando: missing: $missing" >&2
    echo "  remedy: install them (JDK 17, Maven, git, util-linux; for tests snmpd, Prometheus, ipmitool, OpenIPMI, Chromium, Redis) with this system's package manager" >&2
    exit 2
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "calando: missing: $missing" >&2
    echo "  remedy: sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing" >&2
    exit 2
  fi
  echo "calando: installing $missing" >&2
  log=$(mktemp)
  keep_services_off
  trap let_services_be EXIT
  trap 'let_services_be; exit 130' INT TERM HUP
  # shellcheck disable=SC2086 # one word a package
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    echo "calando: the packages could not be installed: $missing" >&2
    echo "  remedy: where the system has no JDK 17 of its own (Debian 13), install one and set JAVA_HOME" >&2
    exit 1
  fi
  rm -f "$log"
  let_services_be
  trap - EXIT INT TERM HUP
  use_jdk
}

use_jdk() {
  JAVA_HOME=$(find_jdk)
  export JAVA_HOME
}

# Built once, and again when a source or a pom is newer than the last build.
build_is_fresh() {
  [ -f "$home/target/built" ] || return 1
  [ -f "$home/cli/target/lib/.complete" ] || return 1
  modules=$(sed -n 's#.*<module>\([^<]*\)</module>.*#\1#p' "$home/pom.xml" | grep -v -e '^it/' -e '^it$' -e '^bench$')
  newer=$(cd "$home" && find pom.xml $modules \
    \( -name target -o -path '*/src/test' \) -prune -o -type f -newer target/built -print | head -n 1)
  [ -z "$newer" ]
}

ensure_built() {
  build_is_fresh && return 0
  mkdir -p "$home/target"
  exec 9>"$home/target/build.lock"
  flock 9
  if ! build_is_fresh; then
    if [ -f "$home/target/built" ]; then
      echo "calando: building what has changed" >&2
    else
      echo "calando: building; this first time takes some minutes and downloads about 500 MB" >&2
    fi
    stamp="$home/target/built.new"
    : >"$stamp"
    # 9>&-: a compiler daemon must not inherit the lock.
    if ! (cd "$home" && mvn -B -Dmaven.test.skip=true -Dspotless.check.skip=true package) \
        >"$home/target/build.log" 2>&1 9>&-; then
      grep -E '^\[ERROR\]' "$home/target/build.log" | head -n 20 >&2
      echo "calando: the build failed; all of its output is in $home/target/build.log" >&2
      exit 1
    fi
    : >"$home/cli/target/lib/.complete"
    mv "$stamp" "$home/target/built"
  fi
  exec 9>&-
}
