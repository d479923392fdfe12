"""Trained models in play: linear values (JSON) and networks (ONNX, or safetensors with torch).

`tesuji.learn` trains them. The networks that come with the package lie in this folder.
"""
