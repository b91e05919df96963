/** What a study file may say of workloads, rates and files, and what it means. */
@NullMarked
package org.calando.studyfile.workload;

import org.jspecify.annotations.NullMarked;
