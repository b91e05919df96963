"""The queue and the quorum of SimPyBench in SimPy: models.py mmc|quorum OPERATIONS SEED

Prints CPU nanoseconds an operation, the mean (of the wait in the queue; of the time to the quorum's
last reply) in units of the mean service time, and half its 99.9 % interval of 32 batch means.
"""

import math
import random
import sys
import time

import simpy

BATCHES = 32
T_999 = 3.633  # Student's t, two-sided, 31 degrees of freedom


class Batches:
    def __init__(self, operations):
        self.length = operations // BATCHES
        self.skip = self.length
        self.count = 0
        self.sums = [0.0] * BATCHES

    def add(self, value):
        """Takes a value in; says whether it was the last that is needed."""
        at = self.count - self.skip
        self.count += 1
        if 0 <= at < self.length * BATCHES:
            self.sums[at // self.length] += value
        return at >= self.length * BATCHES - 1

    def result(self):
        means = [s / self.length for s in self.sums]
        mean = sum(means) / BATCHES
        variance = sum((m - mean) ** 2 for m in means) / (BATCHES - 1)
        return mean, T_999 * math.sqrt(variance / BATCHES)


def mmc(env, draw, batches, done, servers=4, load=0.8):
    resource = simpy.Resource(env, capacity=servers)

    def job():
        arrived = env.now
        with resource.request() as turn:
            yield turn
            if batches.add(env.now - arrived) and not done.triggered:
                done.succeed()
            yield env.timeout(draw(1.0))

    while True:
        yield env.timeout(draw(servers * load))
        env.process(job())


def quorum(env, draw, batches, done, replicas=5, need=3, load=0.6):
    resources = [simpy.Resource(env, capacity=1) for _ in range(replicas)]

    def ask(resource, replied):
        with resource.request() as turn:
            yield turn
            yield env.timeout(draw(1.0))
        replied()

    def operation():
        began = env.now
        replies = 0

        def replied():
            nonlocal replies
            replies += 1
            if replies == need and batches.add(env.now - began) and not done.triggered:
                done.succeed()

        for resource in resources:
            env.process(ask(resource, replied))

    while True:
        yield env.timeout(draw(load))
        operation()


def main():
    model, operations, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    env = simpy.Environment()
    batches = Batches(operations)
    done = env.event()
    draw = random.Random(seed).expovariate
    begin = time.process_time_ns()
    env.process({"mmc": mmc, "quorum": quorum}[model](env, draw, batches, done))
    env.run(until=done)
    spent = time.process_time_ns() - begin
    mean, half = batches.result()
    print(spent / batches.count, mean, half)


if __name__ == "__main__":
    main()
