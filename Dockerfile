# The program `proofwood` with all its features:
#   docker build -t proofwood . && docker run --rm proofwood solve tic-tac-toe
FROM rust:1.95-slim AS build
COPY . /source
WORKDIR /source
RUN cargo build --profile dist --locked --package proofwood-cli --features full

FROM debian:stable-slim
RUN useradd --create-home proofwood
COPY --from=build /source/target/dist/proofwood /usr/local/bin/proofwood
USER proofwood
WORKDIR /home/proofwood
ENTRYPOINT ["proofwood"]
