// An activity for unit tests.
import type { Activity } from './api.ts'

const TIMESTAMP = '2026-11-20T10:00:00.000Z'

export const activity = (fields: Partial<Activity> = {}): Activity => ({
  id: 'a1',
  type: 'note',
  title: 'Lunch',
  summary: '',
  activityDate: TIMESTAMP,
  completedAt: null,
  assignee: null,
  linkedRecords: [],
  participants: [],
  createdBy: { id: 'u1', name: 'Ada', email: 'ada@example.com' },
  createdAt: TIMESTAMP,
  updatedAt: TIMESTAMP,
  version: 1,
  ...fields,
})
