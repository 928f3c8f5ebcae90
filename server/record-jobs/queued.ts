// What is handed to the worker.
import { defineJob } from '../jobs/queue.ts'
import type { JobRef } from './store.ts'

export const WORK_ON_JOB = defineJob<JobRef>('record-jobs.work')
