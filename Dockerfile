# An image in which `mcc --run` works without a network:
#   docker build -t mcc .
#   docker run --rm --network none -v "$PWD:/models" mcc --run peterson.m
# Models are read in /models; what is built stays in the container unless /cache is a volume.

FROM rust:1-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN cargo install --locked --path compiler --root /installed

# Verifiers are built by cargo, so the image has Rust and a linker as the first one does.
FROM rust:1-slim-bookworm
RUN useradd --create-home --uid 1000 mcc \
    && install --directory --owner=mcc --group=mcc --mode=0700 /cache /home/mcc/.cargo \
    && install --directory --owner=mcc --group=mcc /models
COPY --from=build /installed/bin/mcc /usr/local/bin/mcc
# By its number: some hosts refuse an image whose user may be root.
USER 1000
ENV MCC_CACHE=/cache CARGO_HOME=/home/mcc/.cargo
# Downloads the dependencies and builds the runtime, once, into the image.
RUN mcc prefetch
WORKDIR /models
ENTRYPOINT ["mcc"]
