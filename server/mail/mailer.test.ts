import pino from 'pino'
import { Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { openMailer } from './mailer.ts'
import { composeMail } from './message.ts'
import { measureMail } from './metrics.ts'
import { openSmtp } from './smtp.ts'
import { startSmtpServer } from './smtp-server.fixture.ts'
import { deleteOldMail, selectMail } from './store.ts'

const { pool: db } = await createTestDatabase()

function logged() {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(line) })
  return { log, lines }
}

const mail = composeMail({
  to: 'nina@example.com',
  subject: 'Join\r\nBcc: all@example.com',
  before: ['Hello <Nina> & "friends",'],
  action: { label: 'Join', url: 'https://crm.example.com/invitations/abc?a=1&b=2' },
  after: ['Until then.\n\nEvil paragraph'],
})

test('a message has the same content as text and as HTML, and a name cannot begin a paragraph or header', () => {
  expect(mail.subject).toBe('Join Bcc: all@example.com')
  expect(mail.text).toBe(
    'Hello <Nina> & "friends",\n\nJoin:\nhttps://crm.example.com/invitations/abc?a=1&b=2\n\nUntil then. Evil paragraph\n',
  )
  expect(mail.html).toContain('Hello &lt;Nina&gt; &amp; &quot;friends&quot;,')
  expect(mail.html).toContain('href="https://crm.example.com/invitations/abc?a=1&amp;b=2"')
  expect(mail.html).not.toContain('<Nina>')
})

test('with SMTP, messages are sent from the configured sender', async () => {
  const server = await startSmtpServer()
  const { log, lines } = logged()
  const mailer = openMailer({ smtpUrl: server.url, mailFrom: 'Rapport <rapport@example.com>' }, { db, log })
  expect(mailer.sendsMail).toBe(true)
  await openSmtp({ url: server.url, from: undefined }).verify()
  expect(server.messages).toEqual([])
  await mailer.send(mail)
  mailer.post(mail)
  await mailer.close()
  expect(server.messages).toHaveLength(2)
  const [headers = '', ...bodies] = (server.messages[0] ?? '').split('\n\n')
  expect(headers).toMatch(/^From: Rapport <rapport@example\.com>$/m)
  expect(headers).toMatch(/^To: nina@example\.com$/m)
  expect(headers).toMatch(/^Subject: Join Bcc: all@example\.com$/m)
  expect(headers).not.toMatch(/^Bcc/m)
  expect(bodies.join('\n')).toContain('https://crm.example.com/invitations/abc')
  expect(lines).toEqual([])
  expect(await selectMail(db, 10)).toEqual([])
})

test('a refused message rejects `send`, is logged for `post`, and counted for both', async () => {
  const server = await startSmtpServer('550 no such person')
  const { log, lines } = logged()
  const mailer = openMailer({ smtpUrl: server.url, mailFrom: 'rapport@example.com' }, { db, log })
  const registry = new Registry()
  measureMail(registry)
  const failures = async () => (await registry.getMetricsAsJSON())[0]?.values[0]?.value
  const before = Number(await failures())
  await expect(mailer.send(mail)).rejects.toThrow(/no such person/)
  mailer.post(mail)
  await mailer.close()
  expect(await failures()).toBe(before + 2)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('a message was not sent')
  expect(lines[0]).not.toContain('invitations/abc')
})

test('gives up a server that does not answer', async () => {
  const { url } = await startSmtpServer('silence')
  const smtp = openSmtp({ url, from: 'rapport@example.com', stepMs: 50 })
  await expect(smtp.send(mail)).rejects.toThrow(/Greeting|Timeout|longer than/)
  await expect(smtp.verify()).rejects.toThrow(/Greeting|Timeout|longer than/)
})

test('without SMTP, a message is logged and kept for a week', async () => {
  const { log, lines } = logged()
  const mailer = openMailer({ smtpUrl: undefined, mailFrom: undefined }, { db, log })
  expect(mailer.sendsMail).toBe(false)
  const heard: unknown[] = []
  mailer.onKept((message) => heard.push(message))
  mailer.post(mail)
  await mailer.close()
  expect(heard).toEqual([mail])
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ to: mail.to, subject: mail.subject, text: mail.text }),
  ])
  const kept = { recipient: mail.to, subject: mail.subject, body: mail.text, createdAt: expect.any(String) }
  expect(await selectMail(db, 10)).toEqual([kept])
  await deleteOldMail(db, new Date(), 10)
  expect(await selectMail(db, 10)).toEqual([kept])
  await db.run(sql`update outgoing_mail set created_at = now() - interval '8 days'`)
  expect(await deleteOldMail(db, new Date(), 10)).toBe(1)
  expect(await selectMail(db, 10)).toEqual([])
})
