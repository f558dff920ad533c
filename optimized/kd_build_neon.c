#include <voxphys/kernels.h>
extern int vp_not_yet;
