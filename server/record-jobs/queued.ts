// What is handed to the worker.
import { defineJob } from '../jobs/queue.ts'
import type { JobRef } from './store.ts'

/** `seenLines`: another worker was at the job then, and had read so many lines. */
export type QueuedJob = JobRef & { seenLines?: number }

export const WORK_ON_JOB = defineJob<QueuedJob>('record-jobs.work')
