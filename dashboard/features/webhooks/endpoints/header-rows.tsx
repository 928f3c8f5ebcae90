// Custom headers that are sent with every request.
import { ActionIcon, TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { ENDPOINT_HEADERS_MAX } from '../../../../contract/webhook-states.ts'
import { RowsFieldset } from '../../../ui/rows-fieldset.tsx'
import type { HeaderRow } from './draft.ts'
import type { EndpointForm } from './use-endpoint-form.ts'

interface RowProps {
  form: EndpointForm
  index: number
  row: HeaderRow
}

function Row({ form, index, row }: RowProps) {
  const { headers } = form.values
  const set = (part: Partial<HeaderRow>) => form.change({ headers: headers.with(index, { ...row, ...part }) })
  const common = { autoComplete: 'off', spellCheck: false }
  return (
    <li className="grid start gap-4" style={{ gridTemplateColumns: '2fr 3fr auto' }}>
      <TextInput
        {...common}
        aria-label={`Name of header ${index + 1}`}
        placeholder="Authorization"
        value={row.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={form.errors[`headers[${index}].name`]}
      />
      <TextInput
        {...common}
        aria-label={`Value of header ${index + 1}`}
        placeholder="Bearer …"
        value={row.value}
        onChange={({ currentTarget }) => set({ value: currentTarget.value })}
        error={form.errors[`headers[${index}].value`]}
      />
      <ActionIcon
        mt={4}
        aria-label={`Remove header ${row.name || index + 1}`}
        onClick={() => form.change({ headers: headers.toSpliced(index, 1) })}
      >
        <X size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}

/** Focuses an added row after it is rendered. */
function useAdd(form: EndpointForm) {
  const list = useRef<HTMLUListElement>(null)
  const add = () => {
    const row = { key: crypto.randomUUID(), name: '', value: '' }
    form.change({ headers: [...form.values.headers, row] })
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus())
  }
  return { list, add }
}

export function HeaderRows({ form }: { form: EndpointForm }) {
  const { list, add } = useAdd(form)
  const { headers } = form.values
  return (
    <RowsFieldset
      data-asks="yes"
      label="Headers"
      description="Sent with every request, such as a token your receiver asks for. Stored encrypted."
      error={form.errors['headers']}
      noun="header"
      isFull={headers.length >= ENDPOINT_HEADERS_MAX}
      onAdd={add}
    >
      {headers.length > 0 && (
        <ul className="stack gap-8" ref={list}>
          {headers.map((row, index) => (
            <Row key={row.key} form={form} index={index} row={row} />
          ))}
        </ul>
      )}
    </RowsFieldset>
  )
}
