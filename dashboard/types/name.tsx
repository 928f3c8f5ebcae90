import { SimpleGrid, TextInput } from '@mantine/core'
import { User } from 'lucide-react'
import type { EditorProps } from '../shared/values/editor-props.ts'
import { formatName, type PersonName } from '../shared/values/format.ts'
import { TypedText } from '../shared/values/text-editor.tsx'
import { compact } from './compact.ts'
import type { TypeDefinition } from './type-definition.ts'

function NameEditor({ value, onChange, label, error, autoFocus, required }: EditorProps) {
  const name = (value ?? {}) as PersonName
  const set = (part: PersonName) => onChange(compact({ ...name, ...part }))
  return (
    <fieldset aria-label={label}>
      <SimpleGrid cols={2} spacing={8}>
        <TextInput
          label="First name"
          value={name.firstName ?? ''}
          autoFocus={autoFocus ?? false}
          data-autofocus={autoFocus || undefined}
          required={required ?? false}
          withAsterisk={required ?? false}
          error={error}
          onChange={({ currentTarget }) => set({ firstName: currentTarget.value })}
        />
        <TextInput
          label="Last name"
          value={name.lastName ?? ''}
          onChange={({ currentTarget }) => set({ lastName: currentTarget.value })}
        />
      </SimpleGrid>
    </fieldset>
  )
}

/** The last word is the last name, as the service takes it. */
function readName(text: string): PersonName {
  const words = text.trim().split(/\s+/)
  const lastName = words.length > 1 ? words.pop() : undefined
  return { firstName: words.join(' '), ...(lastName !== undefined && { lastName }) }
}

export const name: TypeDefinition = {
  icon: User,
  label: 'Person’s name',
  explanation: 'First and last name',
  columnWidth: 200,
  format: (value) => formatName(value as PersonName),
  editor: (props) => <NameEditor {...props} />,
  typedEditor: (props) => <TypedText {...props} read={readName} />,
  hasManyFields: true,
  firstOperator: 'contains',
}
