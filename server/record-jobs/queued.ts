// The queued job of a worker.
import { defineJob } from '../jobs/queue.ts'
import type { JobRef } from './store.ts'

/** `seenLines`: the number of lines that the other worker had read when the job was left to it. */
export type QueuedJob = JobRef & { seenLines?: number }

export const WORK_ON_JOB = defineJob<QueuedJob>('record-jobs.work')
