"""
One governor of a real Cassandra, Redis and HDFS for hours, under load, seen from outside: its memory,
threads and files, what it counts beside the clients' own books, and how many reads were stale.

Rows of out/soak/soak.csv, one a minute; a soak that was ended goes on from its last row, with another
governor (column `start`). Needs Python 3 and nothing else.
"""

import argparse
import collections
import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

from clients import CassandraLoad, HdfsLoad, RedisLoad

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = ("cassandra", "redis", "hdfs")
COLUMNS = (
    ["minute", "start", "pss_mib", "cpu_s", "threads", "files", "ready", "not_ready_s"]
    + [f"{e}_{c}" for e in ENGINES for c in ("reads", "writes", "stale", "failed", "longest_ms")]
    + [f"{e}_{c}" for e in ENGINES for c in ("counted_reads", "counted_writes", "joules", "promises")]
)
#: Keys of each cluster beside name, engine and inventory; what the clients of this soak do.
USUAL = {
    "cassandra": "promise: {stale: 5%, copies: 2, survive: 1},"
    " clients: {reads: ONE, writes: ONE, canary: soak_plain, keys: 50}",
    "redis": "promise: {fresh: 1s, copies: 2}",
    "hdfs": "",
}
FILE = """\
clusters:
  - {{name: cassandra, engine: cassandra, rf: 3, inventory: "{state}/local/cassandra/inventory.yaml"{cassandra}}}
  - {{name: redis, engine: redis, inventory: "{state}/local/redis/inventory.yaml"{redis}}}
  - {{name: hdfs, engine: hdfs, inventory: "{state}/local/hdfs/inventory.yaml"{hdfs}}}
listen: 127.0.0.1:0
"""


def calando(*arguments, check=True):
    subprocess.run([str(ROOT / "calando"), *arguments], check=check, stdout=subprocess.DEVNULL)


def nodes(state, engine):
    text = (state / "local" / engine / "inventory.yaml").read_text()
    found = re.findall(r"address: ([\d.]+)(?:, port: (\d+))?", text)
    return [(address, int(port or 9042)) for address, port in found]


class Governor:
    """The governor's process and what it answers."""

    def __init__(self, file, log):
        self.log = open(log, "ab")
        self.from_byte = self.log.tell()
        self.path = log
        self.process = subprocess.Popen(
            [str(ROOT / "calando"), "govern", str(file)], stdout=self.log, stderr=self.log
        )
        self.address = self._await_address()

    def _await_address(self):
        end = time.monotonic() + 180
        while time.monotonic() < end:
            text = pathlib.Path(self.path).read_bytes()[self.from_byte :].decode(errors="replace")
            found = re.search(r"listens on (http://[\d.:]+)", text)
            if found:
                return found.group(1)
            if self.process.poll() is not None:
                raise SystemExit(f"the governor ended with {self.process.returncode}:\n{text}")
            time.sleep(0.5)
        raise SystemExit("the governor does not listen after 180 s")

    def pid(self):
        """Of the Java process, which the command may have started in its own place or as a child."""
        for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = line.read_bytes().split(b"\0")
                parent = int((line.parent / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, ValueError):
                continue
            pid = int(line.parent.name)
            if self.process.pid in (pid, parent) and words[0].endswith(b"java"):
                return pid
        raise SystemExit("the governor's process is not found")

    def size(self):
        base = pathlib.Path("/proc") / str(self.pid())
        pss = int(re.search(r"^Pss:\s+(\d+)", (base / "smaps_rollup").read_text(), re.M).group(1))
        fields = (base / "stat").read_text().rsplit(")", 1)[1].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return pss / 1024, cpu, int(fields[17]), len(list((base / "fd").iterdir()))

    def get(self, path):
        try:
            with urllib.request.urlopen(self.address + path, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def counted(self):
        metrics = self.get("/metrics")[1]
        sums = {}
        for name, label, key in (
            ("calando_node_requests_total", 'kind="read"', "counted_reads"),
            ("calando_node_requests_total", 'kind="write"', "counted_writes"),
            ("calando_accounted_joules_total", "", "joules"),
        ):
            for engine in ENGINES:
                found = [
                    float(line.rsplit(" ", 1)[1])
                    for line in metrics.splitlines()
                    if line.startswith(name + "{") and label in line and f'"{engine}"' in line
                ]
                sums[f"{engine}_{key}"] = sum(found) if found else ""
        return sums

    def promises(self):
        """Of each cluster, such as "stale kept, copies kept"."""
        words = {True: "kept", False: "broken", None: "unknown"}
        found = {}
        for engine in ENGINES:
            state = json.loads(self.get(f"/api/v1/clusters/{engine}")[1])
            states = (state.get("promises") or {}).get("states", [])
            found[f"{engine}_promises"] = ", ".join(f"{e['promise']} {words[e['kept']]}" for e in states)
        return found

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        self.log.close()
        return code


def row(minute, start, governor, loads, not_ready):
    pss, cpu, threads, files = governor.size()
    values = {
        "minute": minute,
        "start": start,
        "pss_mib": round(pss, 1),
        "cpu_s": round(cpu, 1),
        "threads": threads,
        "files": files,
        "ready": governor.get("/readyz")[0],
        "not_ready_s": not_ready,
    }
    for load in loads:
        values |= {
            f"{load.name}_reads": load.reads,
            f"{load.name}_writes": load.writes,
            f"{load.name}_stale": load.stale,
            f"{load.name}_failed": load.failed,
            f"{load.name}_longest_ms": round(1000 * load.longest),
        }
        load.longest = 0.0
    return values | governor.counted() | governor.promises()


def soak(minutes, folder, extra):
    state = folder / "state"
    os.environ["CALANDO_STATE"] = str(state)
    table = folder / "soak.csv"
    folder.mkdir(parents=True, exist_ok=True)
    before = list(csv.DictReader(table.open())) if table.exists() else []
    start = 1 + max((int(each["start"]) for each in before), default=0)
    loads, governor = [], None
    try:
        for engine in ENGINES:
            # One that an ended soak left.
            if (state / "local" / engine).exists():
                calando("local", "stop", engine, check=False)
            calando("local", "start", engine)
        replicas = nodes(state, "redis")
        http = re.search(r"http: (\S+)", (state / "local/hdfs/hdfs.yaml").read_text()).group(1)
        loads = [
            CassandraLoad(nodes(state, "cassandra"), 40),
            RedisLoad(replicas[0], replicas[1:], 100),
            HdfsLoad(http, 0.5),
        ]
        file = folder / "govern.yaml"
        file.write_text(FILE.format(state=state, **extra))
        governor = Governor(file, folder / "govern.log")
        for load in loads:
            load.start()
        with table.open("a", newline="") as out:
            rows = csv.DictWriter(out, COLUMNS)
            if not before:
                rows.writeheader()
            for minute in range(len(before) + 1, minutes + 1):
                not_ready, end = 0, time.monotonic() + 60
                while time.monotonic() < end:
                    not_ready += governor.get("/readyz")[0] != 200
                    time.sleep(1)
                values = row(minute, start, governor, loads, not_ready)
                rows.writerow(values)
                out.flush()
                print({key: values[key] for key in ("minute", "pss_mib", "cpu_s", "ready")}, flush=True)
    finally:
        for load in loads:
            load.finish()
        if governor:
            print("the governor ended with", governor.end())
        for engine in ENGINES:
            calando("local", "stop", engine, check=False)
    report(table)


def report(table):
    """What the rows say; slopes are of least squares over all but the first ten minutes of a start."""
    rows = list(csv.DictReader(table.open()))
    for start in sorted({each["start"] for each in rows}, key=int):
        mine = [each for each in rows if each["start"] == start]
        settled = mine[10:] if len(mine) > 12 else mine
        size = [float(each["pss_mib"]) for each in settled]
        hours = [int(each["minute"]) / 60 for each in settled]
        last = mine[-1]
        print(f"start {start}: {len(mine)} minutes")
        print(f"  PSS {min(size):.0f} to {max(size):.0f} MiB, {slope(hours, size):+.1f} MiB an hour")
        print(f"  threads {mine[0]['threads']} to {last['threads']}, files {mine[0]['files']} to {last['files']}")
        busy = (float(last["cpu_s"]) - float(mine[0]["cpu_s"])) / (60 * max(1, len(mine) - 1))
        print(f"  CPU {100 * busy:.2f} % of a core; not ready {sum(int(e['not_ready_s']) for e in mine)} s")
        for engine in ENGINES:
            own = {key: int(last[f"{engine}_{key}"]) for key in ("reads", "writes", "stale", "failed")}
            print(
                f"  {engine}: own book {own}; the governor counts reads"
                f" {last[f'{engine}_counted_reads'] or 'unknown'}, writes"
                f" {last[f'{engine}_counted_writes'] or 'unknown'}, {last[f'{engine}_joules'] or 'unknown'} J"
            )
            minutes = collections.Counter(
                word for each in mine for word in each[f"{engine}_promises"].split(", ") if word
            )
            share = 100 * own["stale"] / max(1, own["reads"])
            print(f"    stale in the own book: {share:.3f} %; minutes of promises: {dict(minutes)}")


def slope(xs, ys):
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / spread if spread else 0.0


def main():
    arguments = argparse.ArgumentParser(description=__doc__.strip().split("\n")[0])
    arguments.add_argument("minutes", nargs="?", type=int, default=120)
    arguments.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "out" / "soak")
    for engine in ENGINES:
        arguments.add_argument(
            f"--{engine}", default=USUAL[engine], help="further keys of the cluster in the governor's file"
        )
    given = arguments.parse_args()
    extra = {e: f", {getattr(given, e)}" if getattr(given, e) else "" for e in ENGINES}
    soak(given.minutes, given.folder.resolve(), extra)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main()
