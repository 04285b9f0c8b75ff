# Two commands for a fresh Debian 12. Everything else: CMakePresets.json and CONTRIBUTING.md.
JOBS ?= $(shell nproc)
BUILD_PACKAGES := gcc libc6-dev cmake ninja-build libsodium-dev libhwloc-dev
TEST_PACKAGES := g++ pkg-config libcmocka-dev libjansson-dev liblzma-dev xz-utils python3

.PHONY: demo test clean

# Builds, makes a test key, proves the sample of this repository, verifies.
demo:
	tools/debian_packages $(BUILD_PACKAGES)
	tools/demo $(JOBS)

# Builds the dev preset and runs every test.
test:
	tools/debian_packages $(BUILD_PACKAGES) $(TEST_PACKAGES)
	cmake --preset dev
	cmake --build build/dev -j $(JOBS)
	ctest --test-dir build/dev --output-on-failure -j $(JOBS)

clean:
	rm -rf build
