// The outputs of steps, by name: for the check of templates, and for the picker of values. The
// browser reads it at run time.
import type { StepType } from './workflow-steps.ts'

const RECORD = ['id', 'objectId', 'data', 'createdAt', 'updatedAt'] as const

export const ACTIVITY_FIELDS = [
  'id',
  'type',
  'title',
  'summary',
  'activityDate',
  'completedAt',
  'linkedRecords',
  'participants',
  'createdBy',
  'createdAt',
  'updatedAt',
  'version',
] as const

/** Of set_variables, the names it sets. Where onError says that the run goes on, `error` as well. */
export const STEP_OUTPUTS: Readonly<Record<Exclude<StepType, 'set_variables'>, readonly string[]>> = {
  find_records: ['count', 'records'],
  get_record: ['found', 'record'],
  create_record: [...RECORD, 'created'],
  update_record: [...RECORD, 'created'],
  upsert_record: [...RECORD, 'created'],
  delete_record: ['id', 'deleted'],
  create_activity: ACTIVITY_FIELDS,
  condition: ['met'],
  branch: ['branch'],
  for_each: ['count'],
  delay: ['until'],
  http_request: ['status', 'headers', 'body'],
  send_webhook: ['eventId'],
  run_report: ['runId', 'resultCount', 'columns', 'rows', 'text'],
  send_email: ['messageId'],
  stop: ['message'],
  fail: [],
}
