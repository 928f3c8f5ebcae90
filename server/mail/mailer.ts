// How the service sends mail: by SMTP if it is configured. Otherwise it keeps messages for the operator.
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import type { Mail } from './message.ts'
import { countMailFailure } from './metrics.ts'
import { openSmtp } from './smtp.ts'
import { insertMail } from './store.ts'

export interface Mailer {
  /** Whether messages are sent; otherwise the operator passes them on. */
  readonly sendsMail: boolean
  /** Rejects if the message could not be passed to the server. */
  send(mail: Mail): Promise<void>
  /** Sends in the background, so that the time of an answer reveals nothing. A failure is logged. */
  post(mail: Mail): void
  /** @param listener called for each message that is kept instead of sent */
  onKept(listener: (mail: Mail) => void): void
  /** Waits until posted messages are sent. */
  close(): Promise<void>
}

type Deliver = (mail: Mail) => Promise<void>

function keep(db: Db, log: Logger, listeners: ReadonlySet<(mail: Mail) => void>): Deliver {
  return async (mail) => {
    const { to, subject, text, organizationId = null } = mail
    await insertMail(db, { recipient: to, subject, body: text, organizationId })
    log.info({ to, subject, text }, 'no SMTP server is configured: pass this message on yourself')
    for (const listener of listeners) listener(mail)
  }
}

/** Counts failures, which the caller handles. */
function deliverBySmtp(url: string, from: string | undefined): Deliver {
  const smtp = openSmtp({ url, from })
  return async (mail) => {
    try {
      await smtp.send(mail)
    } catch (error) {
      countMailFailure()
      throw error
    }
  }
}

export function openMailer(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  { db, log }: { db: Db; log: Logger },
): Mailer {
  const listeners = new Set<(mail: Mail) => void>()
  const send = smtpUrl ? deliverBySmtp(smtpUrl, mailFrom) : keep(db, log, listeners)
  const posted = new Set<Promise<void>>()
  return {
    sendsMail: smtpUrl !== undefined,
    send,
    post(mail) {
      const sending = send(mail)
        .catch((err) => log.error({ err, to: mail.to, subject: mail.subject }, 'a message was not sent'))
        .finally(() => posted.delete(sending))
      posted.add(sending)
    },
    onKept(listener) {
      listeners.add(listener)
    },
    async close() {
      await Promise.all(posted)
    },
  }
}
