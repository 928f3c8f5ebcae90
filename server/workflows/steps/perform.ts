// Every step that has an effect, or asks for something, and what does it.
import type { StepType } from '../../../contract/workflow-steps.ts'
import { createOneActivity } from './activity-steps.ts'
import { StepFailure } from './failure.ts'
import { askOverHttp, type NetworkWork } from './http-request.ts'
import {
  createOneRecord,
  deleteOneRecord,
  findRecords,
  getOneRecord,
  updateOneRecord,
  upsertOneRecord,
} from './record-steps.ts'
import { runOneReport } from './run-report.ts'
import { sendMessage } from './send-email.ts'
import { sendToEndpoint } from './send-webhook.ts'
import type { StepWork } from './step-work.ts'

/** On our own data: in the transaction `work.ctx.db`, which is undone when the step fails. */
const DATA: Partial<Record<StepType, (work: StepWork) => Promise<unknown>>> = {
  find_records: findRecords,
  get_record: getOneRecord,
  create_record: createOneRecord,
  update_record: updateOneRecord,
  upsert_record: upsertOneRecord,
  delete_record: deleteOneRecord,
  create_activity: createOneActivity,
  send_webhook: sendToEndpoint,
}

/** Beyond our own data, or longer than a transaction should be: outside of any. */
const NETWORK: Partial<Record<StepType, (work: NetworkWork) => Promise<unknown>>> = {
  http_request: askOverHttp,
  run_report: runOneReport,
  send_email: sendMessage,
}

const READING: readonly StepType[] = ['find_records', 'get_record']

export const isNetworkStep = (type: StepType): boolean => Object.hasOwn(NETWORK, type)
export const isReadingStep = (type: StepType): boolean => READING.includes(type)

const unknownType = (type: string) => new StepFailure(`Steps of type ${type} cannot be performed.`)

/** @returns the output @throws StepFailure, AppError: failureOf says either in words; anything else is a defect */
export async function performData(work: StepWork): Promise<unknown> {
  const take = DATA[work.type]
  if (!take) throw unknownType(work.type)
  return take(work)
}

/** As performData. */
export async function performNetwork(work: NetworkWork): Promise<unknown> {
  const take = NETWORK[work.type]
  if (!take) throw unknownType(work.type)
  return take(work)
}

/**
 * Performs a step as a dry run does, in a transaction (`work.ctx.db`) that will be rolled back: what would leave the
 * service is answered as `{wouldSend: …}`.
 */
export function performDry(work: StepWork): Promise<unknown> {
  const dry = { ...work, isDry: true }
  if (!isNetworkStep(work.type)) return performData(dry)
  return performNetwork({ ...dry, config: {}, real: () => dry.input })
}
