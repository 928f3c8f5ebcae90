// All step types, with their checks and implementations.
import type { StepType } from '../../../contract/workflow-steps.ts'
import { CONTROL_STEPS, type ControlType } from './control-steps.ts'
import { createActivity } from './create-activity.ts'
import { createRecord } from './create-record.ts'
import { deleteRecord } from './delete-record.ts'
import { findRecords } from './find-records.ts'
import { getRecord } from './get-record.ts'
import { httpRequest } from './http-request.ts'
import { nextMember } from './next-member.ts'
import { runReport } from './run-report.ts'
import { sendEmail } from './send-email.ts'
import { sendWebhook } from './send-webhook.ts'
import type { ControlStep, DataStep, NetworkStep } from './step.ts'
import { updateRecord } from './update-record.ts'
import { upsertRecord } from './upsert-record.ts'

const PERFORMED_STEPS: Readonly<Record<Exclude<StepType, ControlType>, DataStep | NetworkStep>> = {
  find_records: findRecords,
  get_record: getRecord,
  create_record: createRecord,
  update_record: updateRecord,
  upsert_record: upsertRecord,
  delete_record: deleteRecord,
  create_activity: createActivity,
  next_member: nextMember,
  http_request: httpRequest,
  send_webhook: sendWebhook,
  run_report: runReport,
  send_email: sendEmail,
}

export const STEPS: Readonly<Record<StepType, ControlStep | DataStep | NetworkStep>> = {
  ...CONTROL_STEPS,
  ...PERFORMED_STEPS,
}
