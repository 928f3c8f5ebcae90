// Why a form was refused, above its button.
import { Text } from '@mantine/core'
import { hasCode, hasProblems, messageOf } from './api/errors.ts'

/** @param fields paths whose problems the form shows at the field itself */
function formMessage(error: unknown, fields: readonly string[]): string | undefined {
  if (error === undefined) return undefined
  if (hasCode(error, 'rate_limit_exceeded') && typeof error.details.retryAfter === 'number')
    return `Too many attempts. Wait ${error.details.retryAfter} seconds, then try again.`
  if (!hasProblems(error)) return messageOf(error)
  const isElsewhere = error.problems.every(({ path }) => fields.includes(path))
  return isElsewhere ? undefined : messageOf(error)
}

export function FormError({ error, fields = [] }: { error: unknown; fields?: readonly string[] }) {
  const message = formMessage(error, fields)
  if (message === undefined) return null
  return (
    <Text c="var(--danger)" role="alert">
      {message}
    </Text>
  )
}
