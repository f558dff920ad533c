/* SPDX-License-Identifier: MIT */
/* Questions from and to files, for `voxphys reduce --adapter`. */
#ifndef VP_TOOLS_REDUCE_VECTOR_H
#define VP_TOOLS_REDUCE_VECTOR_H

#include "conformance/corpus.h"

/* Reads the question that is given: a vector of the corpus by its id, or a file: a vector in JSON, as the
   corpus has them or as vp_question_save writes one, or a line of the protocol, with its number or without.
   Drop it. @param expected  receives what the corpus expects, if it is a vector; else it is left alone.
   Decrement it
   @return VP_E_IO, VP_E_FORMAT, VP_E_MEMORY */
vp_status vp_question_open(const char *name, vp_question *out, json_t **expected, vp_error *error);

/* Writes a file for conformance/corpus/make/found: family, name and about, which the author gives it, and the
   input of a vector. VP_E_IO, VP_E_MEMORY */
vp_status vp_question_save(const vp_question *q, const char *about, const char *path, vp_error *error);

#endif
