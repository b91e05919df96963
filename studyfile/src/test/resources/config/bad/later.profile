version: 2
origin:
  studies: [sample]
  started: 2026-01-01
  machine: "a processor"
  runs: 30
  configurations: 10
cluster:
  nodes: 3
  racks: 3
  rf: 3
  cores: 2
  shared-machine: true
  link-delay: [[2ms]]
parameters:
  client:
    value: 0.04
    low: 0.036
    high: 0.044
  client-background:
    value: 0.05
    low: 0.045
    high: 0.055
  coordinator:
    value: 0.15
    low: 0.135
    high: 0.165
  message:
    value: 0.05
    low: 0.045
    high: 0.055
  reply:
    value: 0.15
    low: 0.135
    high: 0.165
  read:
    value: 0.15
    low: 0.135
    high: 0.165
  write:
    value: 0.1
    low: 0.09
    high: 0.11
  spinning:
    value: 0.35
    low: 0.315
    high: 0.385
  linger:
    value: 8
    low: 7.2
    high: 8.8
  depth:
    value: 8
    low: 7.2
    high: 8.8
  burst:
    value: 0.3
    low: 0.27
    high: 0.33
  capacity:
    value: 0.92
    low: 0.828
    high: 1
  client-link:
    value: 0.3
    low: 0.27
    high: 0.33
  node-link:
    value: 0.4
    low: 0.36
    high: 0.44
draws: [[0.04, 0.05, 0.15, 0.05, 0.15, 0.15, 0.1, 0.35, 8, 8, 0.3, 0.92, 0.3, 0.4], [0.04, 0.05, 0.15, 0.05, 0.15, 0.25, 0.1, 0.35, 8, 8, 0.3, 0.92, 0.3, 0.4]]
fitted-on:
  read-share: [0.2, 0.8]
  threads: [2, 16]
  rate: [100, 400]
  read-replicas: [0.333333, 1]
  write-replicas: [0.333333, 1]
  records: [50, 50]
  link-delay-ms: [2, 2]
  popularity: ["zipf:0.99"]
fit-error:
  throughput: 0.03
held-out:
  how: "workload=check-*"
  configurations: 2
  watts-measured: false
  throughput: [0.05, 0.08]
  cpu: [0.04, 0.07]
powers:
  name: xeon-x3440
  "off": 8
  idle: 75
  busy: 150
  cores: 4
  cpu-scale: 1
  boot-seconds: 120
  boot-watts: 110
  source: "a Grid'5000 graphene node (Intel Xeon X3440, 4 cores, 16 GB) as in Li 2013, sections 3.1-3.2. That paper prints no watts of a node: idle 75 W and busy 150 W are the values that a queueing model of its cluster was fitted with, and the paper's nearly flat power would need nodes of 95 to 103 W. Assumptions: straight line, off 8 W, boot 120 s at 110 W, and one local CPU second as one of this processor's"
