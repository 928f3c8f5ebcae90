import { PasswordInput } from '@mantine/core'
import { PASSWORD_MIN } from '../../../contract/limits.ts'

interface NewPasswordProps {
  label?: string
  name?: string
  error?: string | undefined
  autoFocus?: boolean
}

/** Field for a new password. The rule for passwords is always shown. */
export function NewPassword({ label = 'Password', name = 'password', ...field }: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      name={name}
      description={`At least ${PASSWORD_MIN} characters; a few words in a row are easy to remember`}
      autoComplete="new-password"
      minLength={PASSWORD_MIN}
      required
      {...field}
    />
  )
}
