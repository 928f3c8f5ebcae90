// The frame of a condition form: the operator, the operand and the submit button.
import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { arityOf } from './operands.ts'
import { OperatorSelect, type OperatorSelectProps } from './operator-select.tsx'

interface ConditionFrameProps {
  ref?: Ref<HTMLFormElement>
  /** The name of the field. */
  title: string
  operators: OperatorSelectProps
  /** The editor of the operand. */
  children: ReactNode
  isReady: boolean
  submit: string
  /** false where a choice from a list applies the condition without a button. */
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
