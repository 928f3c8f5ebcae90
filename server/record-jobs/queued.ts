// What is handed to the worker.
import { defineJob } from '../jobs/queue.ts'
import type { JobRef } from './store.ts'

/** `seenLines`: how many lines another worker had read when this one left the job to it. */
export type QueuedJob = JobRef & { seenLines?: number }

export const WORK_ON_JOB = defineJob<QueuedJob>('record-jobs.work')
