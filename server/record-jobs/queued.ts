// The queued job of a worker.
import { defineJob } from '../jobs/queue.ts'
import { isPath } from '../records/export/fields.ts'
import type { JobRef, JobSettings } from './store.ts'

/** `seenLines`: the number of lines that the other worker had read when the job was left to it. */
export type QueuedJob = JobRef & { seenLines?: number }

export const WORK_ON_JOB = defineJob<QueuedJob>('record-jobs.work')

/** Jobs with settings that workers of earlier versions would ignore. These workers do not know this queue. */
export const WORK_WITH_SETTINGS = defineJob<QueuedJob>('record-jobs.work-with-settings')

export const kindOf = ({ dryRun, sort, fields }: JobSettings) =>
  dryRun || sort || fields?.some(isPath) ? WORK_WITH_SETTINGS : WORK_ON_JOB
