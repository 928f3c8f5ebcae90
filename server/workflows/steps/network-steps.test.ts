import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { openMailer } from '../../mail/mailer.ts'
import { startSmtpServer } from '../../mail/smtp-server.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import { startReceiver } from '../../test/receiver.ts'
import { step } from '../workflow.fixture.ts'
import { stepRunner } from './steps.fixture.ts'

const service = await buildTestService()
const { ctx } = service
const receiver = await startReceiver()

const org = await service.org()
const { runSteps, outputs, failure } = stepRunner(service, () => org)

const request = (config: object, more = {}) =>
  step('http_request', { url: `${receiver.url}/api`, ...config }, more)

describe('HTTP requests', () => {
  test('contain JSON, headers and an idempotency key for the run and the step', async () => {
    receiver.answer({
      status: 201,
      headers: { 'content-type': 'application/json' },
      body: '{"id":12345678901234567890}',
    })
    const { run, steps } = await runSteps([
      request(
        { method: 'PUT', headers: { 'X-Team': 'Größe' }, body: { from: '{{run.id}}' } },
        { key: 'asked' },
      ),
      step('set_variables', { variables: { id: 'no {{steps.asked.body.id}}' } }),
    ])
    expect(steps[0]?.output).toMatchObject({ status: 201, headers: { 'content-type': 'application/json' } })
    const sent = receiver.requests.at(-1)
    expect(sent).toMatchObject({
      method: 'PUT',
      path: '/api',
      headers: { 'content-type': 'application/json', 'idempotency-key': `${run.id}/steps[0]` },
    })
    expect(JSON.parse(String(sent?.body))).toEqual({ from: run.id })
    const [kept] = await ctx.db.many<{ output: string }>(
      sql`select output::text as output from workflow_run_steps where run = ${run.id} and place = 0`,
    )
    expect(kept?.output).toContain('12345678901234567890')
  })

  test('a text body is sent and returned unchanged', async () => {
    receiver.answer({ body: 'pong\u0000' })
    const [output] = await outputs([request({ body: 'ping' })])
    expect(String(receiver.requests.at(-1)?.body)).toBe('ping')
    expect(output).toMatchObject({ status: 200, body: 'pong\ufffd' })
  })

  test.each([
    ['an error response', { status: 422, body: 'no such order' }, /response was 422 .*no such order/],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://elsewhere.example' } },
      /redirects are not followed/,
    ],
    ['a long response', { body: 'x'.repeat(70_000) }, /more than 64 KiB/],
  ])('%s fails the step without a retry', async (_, reply, words) => {
    receiver.answer(reply)
    const before = receiver.count()
    expect(await failure(request({}))).toMatch(words)
    expect(receiver.count()).toBe(before + 1)
  })

  test.each([
    ['an invalid URL', { url: 'nowhere' }, /./],
    ['an invalid header name', { headers: { 'a b': 'x' } }, /"a b" cannot be set/],
    ['a header of the connection', { headers: { Host: 'x' } }, /"Host" cannot be set/],
    [
      'a line break in a header',
      { headers: { a: 'x\r\nb: y' } },
      /characters that are not allowed in a header/,
    ],
  ])('%s fails the step', async (_, config, words) => {
    expect(await failure(request(config))).toMatch(words)
  })

  test('a secret is sent, and is masked everywhere else', async () => {
    const value = 'tok"en/ä 7'
    await ctx.db.run(sql`
      insert into workflow_secrets (org, name, value)
      values (${org.org}, 'ERP', ${ctx.secrets.seal(value, `workflow_secret:${org.org}:ERP`)})`)
    const echo = JSON.stringify({ you: `sent ${value}`, same: encodeURIComponent(value) })
    receiver.answer({
      headers: { 'content-type': 'application/json', 'x-echo': encodeURIComponent(value) },
      body: echo,
    })
    const { run } = await runSteps([request({ body: { key: '{{secrets.ERP}}' } })])
    expect(run.status).toBe('completed')
    expect(JSON.parse(String(receiver.requests.at(-1)?.body))).toEqual({ key: value })
    receiver.answer({ status: 400, body: `what is ${value}` })
    const failed = await runSteps([request({ body: 'Bearer {{secrets.ERP}}' })])
    expect(failed.steps[0]?.error).toBe('The response was 400 Bad Request: what is ••••')
    const [{ text } = { text: '' }] = await ctx.db.many<{ text: string }>(sql`
      select string_agg(to_jsonb(s)::text || coalesce((select string_agg(v.value::text, '') from workflow_run_values v), ''), '') as text
      from workflow_run_steps s where run = any(${[run.id, failed.run.id]}::uuid[])`)
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
      expect(text).not.toContain(form)
    expect(text).toContain('••••')
    receiver.answer({})
    expect(await failure(request({ url: `${receiver.url}/{{secrets.NONE}}` }))).toMatch(/no secret NONE/)
  })

  const setSecret = (name: string, value: string) =>
    ctx.db.run(sql`
      insert into workflow_secrets (org, name, value)
      values (${org.org}, ${name}, ${ctx.secrets.seal(value, `workflow_secret:${org.org}:${name}`)})`)
  const escaped = (text: string) =>
    [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

  test('a secret is masked in every form in a response', async () => {
    const value = 'tök/en+7 x'
    await setSecret('ECHOED', value)
    const headers = { 'content-type': 'application/json' }
    const say = (text: string) => `{"${text}":["sent ${text}"]}`
    for (const text of [escaped(value), 'tök\\/en+7 x', 't\\u00f6k\\/en+7 x']) {
      receiver.answer({ headers, body: say(text) })
      const [output] = await outputs([request({ body: '{{secrets.ECHOED}}' })])
      expect(output?.['body']).toEqual({ '••••': ['sent ••••'] })
    }
    for (const text of [
      't\\u00f6k\\/en+7 x',
      't%c3%b6k%2fen%2b7+x',
      Buffer.from(value).toString('base64url'),
    ]) {
      receiver.answer({ status: 400, body: `what is ${text}` })
      expect(await failure(request({ body: '{{secrets.ECHOED}}' }))).toContain('what is ••••')
    }
    receiver.answer({})
  })

  test.each([
    ['a part', '{{secrets.PART | slice 6 11}}', 'whole-five5', 'five5'],
    ['one of its parts', "{{secrets.PART | split '-' | last}}", 'parts-six6', 'six6'],
    ['a list of its parts', "{{secrets.PART | split '-'}}", 'seven7-parts', 'seven7'],
    ['a function of it', '{{secrets.PART | upper}}', 'eight8', 'EIGHT8'],
    [
      'a value that contains it',
      "{{'none' | default secrets.PART | replace 'none' secrets.PART}}",
      'nine9',
      'nine9',
    ],
  ])('%s of a secret is masked when a response repeats it', async (_, template, value, part) => {
    await ctx.db.run(sql`delete from workflow_secrets where org = ${org.org} and name = 'PART'`)
    await setSecret('PART', value)
    receiver.answer({ status: 400, body: `there is no host x${part}y` })
    expect(await failure(request({ body: `to ${template} now` }))).toContain('no host x••••y')
    receiver.answer({})
  })

  test('a secret is inserted only for templates, not for similar text', async () => {
    await setSecret('QUOTED', 'of the bracket')
    await outputs([request({ body: "{{ secrets['QUOTED'] }} of secrets.EXAMPLE" })])
    expect(String(receiver.requests.at(-1)?.body)).toBe('of the bracket of secrets.EXAMPLE')
  })
})

describe('messages', () => {
  test('are sent with the texts of the step and an id of the run and step', async () => {
    const server = await startSmtpServer()
    const mailer = openMailer({ smtpUrl: server.url, mailFrom: 'crm@example.com' }, ctx)
    const keep = ctx.mailer
    ctx.mailer = mailer
    try {
      const { run, steps } = await runSteps(
        [
          step('send_email', {
            to: ['ada@example.com', 'bob@example.com'],
            subject: 'Hi\nthere',
            text: 'Dear {{trigger.data.who}},\n\nhello.',
          }),
        ],
        { parameters: { who: 'Ada' } },
      )
      expect(run.status).toBe('completed')
      const [message = ''] = server.messages
      expect(message).toMatch(/^To: ada@example\.com, bob@example\.com$/m)
      expect(message).toMatch(/^Subject: Hi there$/m)
      expect(message).toContain('Dear Ada,\n\nhello.')
      expect(message.replaceAll('=\n', '')).toMatch(/^Sent by the workflow .* of Acme with Rapport\.$/m)
      expect(message).toContain(`<${String(steps[0]?.output?.['messageId'])}>`)
      expect(steps[0]?.output?.['messageId']).toMatch(new RegExp(`^${run.id}\\.[0-9a-f]{16}@`))
    } finally {
      ctx.mailer = keep
      await mailer.close()
    }
  })

  test.each([
    ['{{vars.none}}', /there is no recipient/],
    ['Ada', /"Ada" is not an email address/],
    ['a@example.com\r\nBcc: b@example.com', /is not an email address/],
  ])('to %j fails the step', async (to, words) => {
    expect(await failure(step('send_email', { to, subject: 'x', text: 'y' }))).toMatch(words)
  })
})
