// Messages by SMTP, one connection each: there are few, and an idle connection would only break.
import type { Mail } from './message.ts'

interface SmtpOptions {
  /** smtp:// or smtps://, with user and password where the server asks for them */
  url: string
  from: string | undefined
  /** Milliseconds for each step; a whole message takes at most three of them. */
  stepMs?: number
}

export interface Smtp {
  send(mail: Mail): Promise<void>
  /** Connects and signs in, sending nothing. @throws what the server or the network says */
  verify(): Promise<void>
}

const STEP_MS = 5000

async function connect({ url, from, stepMs = STEP_MS }: SmtpOptions) {
  // Loaded here: most processes never send anything.
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

/** A server that answers a little now and then never runs into a time-out of a step. */
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
