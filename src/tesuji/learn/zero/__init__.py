"""Learning from self-play: `train` runs the loop of self-play and training. It needs torch.

`tesuji.models` has the networks themselves, and plays with trained ones.
"""
