"""Trained models in play: linear values (JSON) and networks (safetensors).

`tesuji.learn` trains them. The networks that come with the package lie in this folder.
"""
