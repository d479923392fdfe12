# The inner loops of networks in play (kernels_code.hpp), compiled for each set of instructions that the compiler knows,
# whatever TESUJI_NATIVE says: TESUJI_KERNEL_SOURCES. kernels.cpp learns which there are as TESUJI_HAS_name.
include(CheckCXXSourceCompiles)
set(TESUJI_KERNELS ${CMAKE_CURRENT_LIST_DIR})
set(TESUJI_KERNEL_SOURCES)
function(compile_kernels name code)
  string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${ARGN}")
  check_cxx_source_compiles("${code}" TESUJI_HAS_${name})
  if(NOT TESUJI_HAS_${name} AND NOT name STREQUAL portable)
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/kernels_${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"network/kernels_code.hpp\"\n
const tesuji::network::Kernels* tesuji::network::${name}_kernels() { return &compiled_kernels; }\n")
  if(TESUJI_HAS_${name})
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${ARGN}")
    set_property(SOURCE ${TESUJI_KERNELS}/kernels.cpp APPEND PROPERTY COMPILE_DEFINITIONS TESUJI_HAS_${name})
  endif()
  set(TESUJI_KERNEL_SOURCES ${TESUJI_KERNEL_SOURCES} ${source} PARENT_SCOPE)
endfunction()
set(x86 "#ifndef __GNUC__\n#error\n#endif\nint main() { return __builtin_cpu_supports")
compile_kernels(portable "${x86}(\"sse2\"); }" -march=x86-64)
compile_kernels(avx2 "${x86}(\"avx2\"); }" -march=x86-64 -mavx2)
compile_kernels(avx_vnni "${x86}(\"avxvnni\"); }" -march=x86-64 -mavx2 -mavxvnni)
compile_kernels(avx512 "${x86}(\"avx512vnni\"); }"
  -march=x86-64 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mprefer-vector-width=512)
compile_kernels(neon "#if !defined(__aarch64__) || !defined(__GNUC__)\n#error\n#endif\nint main() {}" -DTESUJI_NEON)
compile_kernels(neon_dot "#ifndef __ARM_FEATURE_DOTPROD\n#error\n#endif\nint main() {}"
  -march=armv8.2-a+dotprod -DTESUJI_NEON)
