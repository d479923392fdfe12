"""Learning from self-play: a network that gives a policy and a value, and the loop that trains it.

`train` is the loop, `net` the network, `network` a trained one in play. Only what trains needs torch.
"""
