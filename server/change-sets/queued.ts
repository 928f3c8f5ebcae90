// The jobs of this folder.
import { defineJob } from '../jobs/queue.ts'
import type { UndoJobRef } from './job-store.ts'

export const WORK_ON_UNDO = defineJob<UndoJobRef>('change-sets.undo')
