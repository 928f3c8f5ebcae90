// Builds plain text and simple HTML of a message from one description.

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** The header Message-ID without brackets: the same for every attempt to send the message. */
  messageId?: string
  /** The organization whose data the message may contain. The kept copy is erased together with that data. */
  organizationId?: string
}

export interface MailContent {
  to: string
  subject: string
  /** Paragraphs before the link. */
  before: readonly string[]
  /** The action for the recipient. */
  action?: { label: string; url: string }
  /** Paragraphs after the link. */
  after: readonly string[]
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** Names come from users: a line break in a name could begin a new paragraph or header. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

const PARAGRAPH = 'margin:0 0 16px;'
const BUTTON =
  'display:inline-block;padding:10px 16px;border-radius:6px;background:#4f46e5;color:#ffffff;text-decoration:none;font-weight:600;'

const paragraph = (text: string) => `<p style="${PARAGRAPH}">${escapeHtml(text)}</p>`

function actionHtml({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url)
  return [
    `<p style="${PARAGRAPH}"><a href="${address}" style="${BUTTON}">${escapeHtml(label)}</a></p>`,
    `<p style="${PARAGRAPH}color:#6b7280;font-size:12px;word-break:break-all;">${address}</p>`,
  ].join('\n')
}

function toHtml({ subject, before, action, after }: MailContent): string {
  const body = [...before.map(paragraph), ...(action ? [actionHtml(action)] : []), ...after.map(paragraph)]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#ffffff;color:#111827;font:14px/1.5 system-ui,sans-serif;">
<div style="max-width:520px;margin:0 auto;">
${body.join('\n')}
</div>
</body>
</html>
`
}

function toText({ before, action, after }: MailContent): string {
  const link = action ? [`${action.label}:\n${action.url}`] : []
  return `${[...before, ...link, ...after].join('\n\n')}\n`
}

export function composeMail(content: MailContent): Mail {
  const { before, action, after, to } = content
  const clean: MailContent = {
    to,
    subject: oneLine(content.subject),
    before: before.map(oneLine),
    ...(action && { action }),
    after: after.map(oneLine),
  }
  return { to, subject: clean.subject, text: toText(clean), html: toHtml(clean) }
}

const BODY = 'margin:0;padding:32px 16px;background:#ffffff;color:#111827;font:14px/1.5 system-ui,sans-serif;'

/** A message in the words of its sender, with unchanged lines. @param cause the sender, named below the text */
export function plainMail(
  { to, subject, text: body }: Pick<Mail, 'to' | 'subject' | 'text'>,
  cause: string,
): Mail {
  const text = `${body}\n\n-- \n${oneLine(cause)}\n`
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="${BODY}">
<div style="max-width:640px;white-space:pre-wrap;">${escapeHtml(text)}</div>
</body>
</html>
`
  return { to, subject: oneLine(subject), text, html }
}
