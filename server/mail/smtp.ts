// Sends messages by SMTP, one connection for each: messages are few, and an idle connection would break.
import type { Mail } from './message.ts'

interface SmtpOptions {
  /** smtp:// or smtps://, with user and password if the server requires them */
  url: string
  from: string | undefined
  /** Milliseconds for each step. A whole message may take three times as long. */
  stepMs?: number
}

export interface Smtp {
  send(mail: Mail): Promise<void>
  /** Connects and signs in without sending a message. @throws the error of the server or the network */
  verify(): Promise<void>
}

const STEP_MS = 5000

async function connect({ url, from, stepMs = STEP_MS }: SmtpOptions) {
  // Loaded here, because most processes never send mail.
  const { createTransport } = await import('nodemailer')
  return createTransport(
    {
      url,
      connectionTimeout: stepMs,
      greetingTimeout: stepMs,
      socketTimeout: stepMs,
      dnsTimeout: stepMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    from === undefined ? {} : { from },
  )
}

/** A limit for the whole work: a server that sends a little from time to time never reaches the limit of a step. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`the SMTP server took longer than ${ms} ms`)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

export function openSmtp(options: SmtpOptions): Smtp {
  const deadlineMs = (options.stepMs ?? STEP_MS) * 3
  return {
    async send(mail) {
      const transport = await connect(options)
      await within(deadlineMs, transport.sendMail(mail))
    },
    async verify() {
      const transport = await connect(options)
      await within(deadlineMs, transport.verify())
    },
  }
}
