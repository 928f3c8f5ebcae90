import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fieldErrors } from '../../../shared/api/errors.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { readForm, useSubmit } from '../../../shared/use-submit.ts'
import { changePassword, devicesQuery } from '../../identity/api.ts'
import { NewPassword } from '../../identity/new-password.tsx'

const FIELDS = ['currentPassword', 'newPassword'] as const

function usePasswordChange() {
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [isDone, setDone] = useState(false)
  const submission = useSubmit(async (body: Record<(typeof FIELDS)[number], string>) => {
    setDone(false)
    await changePassword(body)
    form.current?.reset()
    setDone(true)
    await client.invalidateQueries({ queryKey: devicesQuery().queryKey })
  })
  return { form, isDone, ...submission }
}

export function PasswordForm({ email }: { email: string }) {
  const { form, isDone, submit, isBusy, error } = usePasswordChange()
  const errors = fieldErrors(error)
  return (
    <form ref={form} onSubmit={(event) => void submit(readForm(event, FIELDS))}>
      <Stack gap="sm" maw={400} align="stretch">
        {/* Password managers need the user name. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          required
          error={errors.currentPassword}
        />
        <NewPassword label="New password" name="newPassword" error={errors.newPassword} />
        <FormError error={error} fields={FIELDS} />
        {isDone && <Text role="status">Your password was changed, and your other sessions were ended.</Text>}
        <Button type="submit" variant="default" loading={isBusy} style={{ alignSelf: 'flex-start' }}>
          Change password
        </Button>
      </Stack>
    </form>
  )
}
