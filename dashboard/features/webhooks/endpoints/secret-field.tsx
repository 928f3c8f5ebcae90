// The signing secret: hidden until revealed, and rotated without an interruption.

import { Button, Group, Text } from '@mantine/core'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { ROTATION_GRACE_HOURS } from '../../../../contract/webhook-states.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatInstant } from '../page/instant.ts'
import type { Secret } from './use-secret.ts'

export function RevealButton({ secret }: { secret: Secret }) {
  const Icon = secret.isRevealed ? EyeOff : Eye
  return (
    <Button
      variant="default"
      size="compact-xs"
      leftSection={<Icon size={12} aria-hidden />}
      onClick={secret.toggle}
      loading={secret.isBusy}
    >
      {secret.isRevealed ? 'Hide secret' : 'Reveal secret'}
    </Button>
  )
}

function Rotation({ secret, onClose }: { secret: Secret; onClose(): void }) {
  const until = new Date(Date.now() + ROTATION_GRACE_HOURS * 3_600_000).toISOString()
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      confirm="Rotate secret"
      onConfirm={secret.rotate}
      onClose={onClose}
    >
      A new secret signs events from now on. The previous one also signs for {ROTATION_GRACE_HOURS} hours,
      until {formatInstant(until)}: give your receiver the new one by then, and no delivery is refused.
    </ConfirmDialog>
  )
}

export function SecretField({ secret }: { secret: Secret }) {
  const [isRotating, setRotating] = useState(false)
  return (
    <>
      <Group gap="4px 8px">
        <code className="breakable">{secret.text}</code>
        {secret.isRevealed && <CopyButton value={secret.text} label="Copy secret" />}
        <RevealButton secret={secret} />
        <Button variant="default" size="compact-xs" onClick={() => setRotating(true)}>
          Rotate secret
        </Button>
      </Group>
      {secret.previousUntil && (
        <Text size="xs" c="dimmed" mt={4}>
          The previous secret also signs until {formatInstant(secret.previousUntil)}.
        </Text>
      )}
      <FormError error={secret.error} mt={4} />
      {isRotating && <Rotation secret={secret} onClose={() => setRotating(false)} />}
    </>
  )
}
