"""Plain clients of the soak: sockets and the standard library alone, each with a book of its own."""

import json
import socket
import struct
import threading
import time
import urllib.request

ONE, QUORUM, ALL = 1, 4, 5
QUERY, STARTUP, READY, RESULT = 7, 1, 2, 8


class Cql:
    """A connection of Cassandra's native protocol, version 4, one question at a time."""

    def __init__(self, address, port, seconds=10):
        self.socket = socket.create_connection((address, port), timeout=seconds)
        entry = b"".join(self._text(word) for word in ("CQL_VERSION", "3.0.0"))
        opcode, _ = self._ask(STARTUP, struct.pack(">H", 1) + entry)
        if opcode != READY:
            raise OSError(f"no greeting but opcode {opcode}")

    @staticmethod
    def _text(word):
        return struct.pack(">H", len(word)) + word.encode()

    def _ask(self, opcode, body):
        self.socket.sendall(struct.pack(">BBHBI", 4, 0, 0, opcode, len(body)) + body)
        head = self._take(9)
        return head[4], self._take(struct.unpack(">I", head[5:])[0])

    def _take(self, length):
        parts = b""
        while len(parts) < length:
            part = self.socket.recv(length - len(parts))
            if not part:
                raise OSError("the node closed the connection")
            parts += part
        return parts

    def query(self, text, level=ONE):
        """Carries out a statement; the first column of the first row as bytes, None for no row."""
        statement = text.encode()
        opcode, body = self._ask(
            QUERY, struct.pack(">I", len(statement)) + statement + struct.pack(">HB", level, 0)
        )
        if opcode != RESULT:
            raise OSError(body[6:].decode(errors="replace") or f"opcode {opcode}")
        if struct.unpack(">I", body[:4])[0] != 2:
            return None
        return self._first(body)

    @staticmethod
    def _first(body):
        """Of rows with one column of a type without parameters."""
        flags, columns = struct.unpack(">II", body[4:12])
        at = 12
        if columns != 1 or not flags & 1:
            raise OSError("rows of one column only")
        for _ in range(3):  # keyspace, table, column
            at += 2 + struct.unpack(">H", body[at : at + 2])[0]
        at += 2
        if not struct.unpack(">I", body[at : at + 4])[0]:
            return None
        length = struct.unpack(">i", body[at + 4 : at + 8])[0]
        return body[at + 8 : at + 8 + length] if length >= 0 else None

    def close(self):
        self.socket.close()


class Redis:
    """A connection of Redis, with commands of one line."""

    def __init__(self, address, port, seconds=10):
        self.socket = socket.create_connection((address, port), timeout=seconds)
        self.lines = self.socket.makefile("rb")

    def ask(self, command):
        self.socket.sendall(command.encode() + b"\r\n")
        line = self.lines.readline().rstrip()
        if not line or line.startswith(b"-"):
            raise OSError(line.decode() or "the server closed the connection")
        if line.startswith(b"$"):
            length = int(line[1:])
            return self.lines.read(length + 2)[:-2] if length >= 0 else None
        return line

    def close(self):
        self.socket.close()


class Load(threading.Thread):
    """One loop of writes and reads at a rate, and its book; it connects again after a failure."""

    def __init__(self, name, per_second):
        super().__init__(name=name, daemon=True)
        self.period = 1 / per_second
        self.ending = threading.Event()
        self.reads = self.writes = self.stale = self.failed = 0
        self.longest = 0.0
        self.trouble = ""

    def run(self):
        due = time.monotonic()
        while not self.ending.is_set():
            try:
                self.step()
            except (OSError, ValueError) as error:
                self.failed += 1
                self.trouble = str(error)
                self.reconnect()
            due += self.period
            late = time.monotonic() - due
            if late > 0:
                due += late
            self.ending.wait(max(0.0, -late))

    def finish(self):
        self.ending.set()
        if self.is_alive():
            self.join(30)

    def reconnect(self):
        """Later, at the next step."""

    def step(self):
        raise NotImplementedError

    def timed(self, what):
        began = time.monotonic()
        answer = what()
        self.longest = max(self.longest, time.monotonic() - began)
        return answer


class CassandraLoad(Load):
    """
    Writes versions that rise and reads them on another node, both at ONE: a read older than a write
    that was acknowledged before it began is stale. A key has one writer, this.
    """

    KEYS = 50

    def __init__(self, nodes, per_second, keyspace="soak_plain"):
        super().__init__("cassandra", per_second)
        self.nodes, self.keyspace = nodes, keyspace
        self.open = {}
        self.versions = [0] * self.KEYS
        self.turn = 0
        node = self._node(0)
        node.query(
            f"CREATE KEYSPACE IF NOT EXISTS {keyspace} WITH replication ="
            f" {{'class': 'NetworkTopologyStrategy', 'replication_factor': {min(3, len(nodes))}}}"
        )
        node.query(f"CREATE TABLE IF NOT EXISTS {keyspace}.t (k int PRIMARY KEY, v bigint)")
        for key in range(self.KEYS):
            found = self._agreed(node, f"SELECT v FROM {keyspace}.t WHERE k = {key}")
            self.versions[key] = struct.unpack(">q", found)[0] if found else 0
        self.before = {"reads": self.KEYS, "writes": 0}

    @staticmethod
    def _agreed(node, text, seconds=60):
        """Reads at ALL once all nodes know the table."""
        end = time.monotonic() + seconds
        while True:
            try:
                return node.query(text, ALL)
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.5)

    def _node(self, index):
        address = self.nodes[index % len(self.nodes)]
        if address not in self.open:
            self.open[address] = Cql(*address)
        return self.open[address]

    def reconnect(self):
        for one in self.open.values():
            one.close()
        self.open.clear()

    def step(self):
        self.turn += 1
        key = self.turn // 2 % self.KEYS
        if self.turn % 2:
            version = self.versions[key] + 1
            self._node(self.turn).query(
                f"INSERT INTO {self.keyspace}.t (k, v) VALUES ({key}, {version})"
            )
            self.versions[key] = version
            self.writes += 1
            return
        expected = self.versions[key]
        found = self.timed(
            lambda: self._node(self.turn).query(
                f"SELECT v FROM {self.keyspace}.t WHERE k = {key}"
            )
        )
        self.reads += 1
        if (struct.unpack(">q", found)[0] if found else 0) < expected:
            self.stale += 1


class RedisLoad(Load):
    """Counts up on the master and reads on the replicas in turn."""

    def __init__(self, master, replicas, per_second):
        super().__init__("redis", per_second)
        self.master, self.replicas = master, replicas
        self.open = {}
        self.turn = 0
        self.version = int(self._node(master).ask("GET soak") or 0)
        self.before = {"reads": 1, "writes": 0}

    def _node(self, address):
        if address not in self.open:
            self.open[address] = Redis(*address)
        return self.open[address]

    def reconnect(self):
        for one in self.open.values():
            one.close()
        self.open.clear()

    def step(self):
        self.turn += 1
        if self.turn % 2:
            self.version = int(self._node(self.master).ask("INCR soak")[1:])
            self.writes += 1
            return
        replica = self.replicas[self.turn // 2 % len(self.replicas)]
        found = self.timed(lambda: self._node(replica).ask("GET soak"))
        self.reads += 1
        if int(found or 0) < self.version:
            self.stale += 1


class HdfsLoad(Load):
    """Writes small files over WebHDFS and reads each back whole; keeps a thousand of them."""

    KEPT = 1000

    def __init__(self, http, per_second, folder="/soak-plain"):
        super().__init__("hdfs", per_second)
        self.base = f"http://{http}/webhdfs/v1{folder}"
        self.turn = 0

    def _send(self, method, path, query, data=None):
        url = f"{self.base}/{path}?{query}&user.name=soak"
        request = urllib.request.Request(url, method=method, data=data)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()

    def step(self):
        self.turn += 1
        name = str(self.turn % self.KEPT)
        content = (str(self.turn) * 1000).encode()
        place = json.loads(self._send("PUT", name, "op=CREATE&overwrite=true&noredirect=true"))
        request = urllib.request.Request(place["Location"], method="PUT", data=content)
        urllib.request.urlopen(request, timeout=30).close()
        self.writes += 1
        found = self.timed(lambda: self._send("GET", name, "op=OPEN"))
        self.reads += 1
        if found != content:
            self.stale += 1
