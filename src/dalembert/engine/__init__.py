"""A prepared model as one module of WebAssembly, with the memory it runs in."""
