// A list of rows in a form, with the error of the whole list and a button that adds a row.
import { Button, Input } from '@mantine/core'
import { Plus } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface RowsFieldsetProps extends ComponentProps<'fieldset'> {
  label: string
  description?: ReactNode
  error?: ReactNode
  /** What a row is, in lower case: "header". */
  noun: string
  /** No row can be added. */
  isFull: boolean
  onAdd(): void
}

export function RowsFieldset(props: RowsFieldsetProps) {
  const { label, description, error, noun, isFull, onAdd, children, ...fieldset } = props
  return (
    <fieldset {...fieldset}>
      <legend>
        <Input.Label labelElement="div">{label}</Input.Label>
      </legend>
      {description && <Input.Description mb={8}>{description}</Input.Description>}
      <div className="stack shrink gap-8">
        {children}
        {error && <Input.Error role="alert">{error}</Input.Error>}
        <Button
          variant="default"
          mr="auto"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={isFull}
          onClick={onAdd}
        >
          Add {noun}
        </Button>
      </div>
    </fieldset>
  )
}
