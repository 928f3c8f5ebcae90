// The step that sends a mail, at least once. Every try, also in a retried run, has the same Message-ID.
import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { EMAIL_MAX } from '../../../contract/limits.ts'
import { messageOf } from '../../base/message-of.ts'
import { type Db, errorCode } from '../../db/pool.ts'
import { plainMail } from '../../mail/message.ts'
import { takeMailQuota } from '../../mail/quota.ts'
import { isEmailValue } from '../../records/values/email.ts'
import type { StepCheck } from '../check/record-checks.ts'
import { isLiteral } from '../check/template-check.ts'
import { textOf } from '../interpreter/values.ts'
import { StepFailure } from './failure.ts'
import type { NetworkStep, StepWork } from './step.ts'

function check({ config: { to }, path, report }: StepCheck) {
  const checkAddress = (address: unknown, at: string) => {
    if (isLiteral(address) && !isEmailValue(address))
      report.add(at, 'invalid_email', 'must be one email address, such as ada@example.com, or a template')
  }
  if (!Array.isArray(to)) return checkAddress(to, `${path}.to`)
  for (const [index, address] of to.entries()) checkAddress(address, `${path}.to[${index}]`)
}

const ADDRESS = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\]+$/
const RECIPIENTS_MAX = 50

/** Accepts addresses as texts, lists of texts, or separated by commas. @throws StepFailure */
function recipientsOf(to: unknown): string[] {
  const addresses = [to]
    .flat(2)
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
    .map((one) => one.trim())
    .filter((one) => one !== '')
  if (addresses.length === 0) throw new StepFailure('to: there is no recipient.')
  if (addresses.length > RECIPIENTS_MAX)
    throw new StepFailure(`to: has ${addresses.length} addresses: send at most ${RECIPIENTS_MAX}.`)
  const wrong = addresses.find((one) => one.length > EMAIL_MAX || !ADDRESS.test(one))
  if (wrong !== undefined) throw new StepFailure(`to: "${wrong.slice(0, 100)}" is not an email address.`)
  return [...new Set(addresses)]
}

const HASH_CHARACTERS = 16

function messageIdOf({ ctx, run, path }: StepWork): string {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, HASH_CHARACTERS)
  return `${run.firstId}.${hash}@${new URL(ctx.config.baseUrl).hostname}`
}

/** SMTP errors 5xx are permanent, all others temporary. */
const isTransient = (error: unknown) => {
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  return !(status >= 500 || errorCode(error) === 'EAUTH' || errorCode(error) === 'EENVELOPE')
}

const SUBJECT_MAX = 1000

/** The last line of the mail, which names its sender. @throws StepFailure while no owner or admin is verified */
async function requireSender({ ctx, caller, workflow }: StepWork): Promise<string> {
  const { name, isVerified } = await getSender(ctx.db, caller.orgId)
  if (isVerified) return `Sent by the workflow “${workflow.name}” of ${name} with Rapport.`
  throw new StepFailure(
    'The organization cannot send email until one of its owners or admins has confirmed their email address.',
  )
}

async function perform(work: StepWork) {
  const { ctx, input, isDry } = work
  const recipients = recipientsOf(input['to'])
  const to = recipients.join(', ')
  const subject = textOf(input['subject']).slice(0, SUBJECT_MAX)
  const text = textOf(input['text'])
  if (isDry) return { wouldSend: { to, subject, text } }
  const sender = await requireSender(work)
  await takeMailQuota(ctx.db, ctx.config, { orgId: work.caller.orgId, mails: recipients.length })
  const messageId = messageIdOf(work)
  try {
    await ctx.mailer.send({
      ...plainMail({ to, subject, text }, sender),
      messageId,
      organizationId: work.caller.orgId,
    })
  } catch (error) {
    const why = messageOf(error)
    throw new StepFailure(`The mail server did not accept the message: ${why}`, {
      isTransient: isTransient(error),
    })
  }
  return { messageId }
}

/** The organization that sends mails. */
interface Sender {
  name: string
  /** Whether an owner or admin has confirmed their email address. */
  isVerified: boolean
}

const getSender = (db: Db, orgId: string) =>
  db.one<Sender>(sql`
    select o.name, exists (
      select from members m join users u on u.id = m.user_id
      where m.organization_id = o.id and m.role in ('owner', 'admin') and u.email_verified) as "isVerified"
    from organizations o where o.id = ${orgId}`)

export const sendEmail: NetworkStep = {
  kind: 'network',
  check,
  perform,
  example: { to: ['ada@example.com', '{{trigger.parameters}}'], subject: 'x', text: 'y' },
}
