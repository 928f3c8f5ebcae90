// An activity for tests of pure code.
import type { Activity } from './api.ts'

const MOMENT = '2026-11-20T10:00:00.000Z'

export const activity = (fields: Partial<Activity> = {}): Activity => ({
  id: 'a1',
  type: 'note',
  title: 'Lunch',
  summary: '',
  activityDate: MOMENT,
  completedAt: null,
  assignee: null,
  linkedRecords: [],
  participants: [],
  createdBy: { id: 'u1', name: 'Ada', email: 'ada@example.com' },
  createdAt: MOMENT,
  updatedAt: MOMENT,
  version: 1,
  ...fields,
})
