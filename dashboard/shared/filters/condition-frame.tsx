// The form of one condition: its operator, what it compares with, and the button that applies it.
import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { arityOf } from './operands.ts'
import { OperatorSelect, type OperatorSelectProps } from './operator-select.tsx'

interface ConditionFrameProps {
  ref?: Ref<HTMLFormElement>
  /** What is compared. */
  title: string
  operators: OperatorSelectProps
  /** What it compares with. */
  children: ReactNode
  isReady: boolean
  submit: string
  /** Nothing to press while choosing from a list applies the condition. */
  hasSubmit?: boolean
  onSubmit(): void
}

export function ConditionFrame({
  ref,
  title,
  operators,
  children,
  isReady,
  submit,
  hasSubmit = true,
  onSubmit,
}: ConditionFrameProps) {
  const isLast = !operators.isFirst && arityOf(operators.value) === 'nothing'
  return (
    <form
      ref={ref}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onSubmit()
      }}
    >
      <Stack gap="xs">
        <Text fw={600} truncate>
          {title}
        </Text>
        <OperatorSelect {...operators} />
        {children}
        {hasSubmit && (
          <Group justify="flex-end">
            <Button type="submit" disabled={!isReady} data-autofocus={isLast || undefined}>
              {submit}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
