// The reason why a form was refused, above its button.
import { Text, type TextProps } from '@mantine/core'
import { hasCode, hasProblems, messageOf } from './api/errors.ts'

/** @param fields paths whose problems the form shows at the field itself */
function formMessage(error: unknown, fields: readonly string[]): string | undefined {
  if (error === undefined) return undefined
  if (!hasProblems(error)) return messageOf(error)
  const isElsewhere = error.problems.every(({ path }) => fields.includes(path))
  return isElsewhere ? undefined : messageOf(error)
}

interface FormErrorProps extends TextProps {
  error: unknown
  fields?: readonly string[] | undefined
  /** What was refused, before the reason: "Could not count what this removes". */
  lead?: string
}

export function FormError({ error, fields = [], lead, ...text }: FormErrorProps) {
  const message = formMessage(error ?? undefined, fields)
  if (message === undefined) return null
  return (
    <Text c="var(--danger)" role="alert" {...text}>
      {lead && `${lead}: `}
      {message}
    </Text>
  )
}

/** For sign-in forms: the service limits the number of attempts. */
export function SignInError({ error, fields }: FormErrorProps) {
  const seconds = hasCode(error, 'rate_limit_exceeded') ? error.retryAfterSeconds : undefined
  const limit = new Error(`Too many attempts. Wait ${seconds} seconds, then try again.`)
  return <FormError error={seconds === undefined ? error : limit} fields={fields} />
}
