import { SimpleGrid, TextInput } from '@mantine/core'
import { type PersonName, readName } from '../../../contract/person-name.ts'
import type { EditorProps } from '../../shared/values/editor-props.ts'
import { TypedText } from '../../shared/values/text-editor.tsx'
import { compact } from './compact.ts'
import type { TypeEditor } from './type-editor.ts'

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

function explainName(value: unknown): string {
  const { firstName, lastName } = value as PersonName
  const parts = [firstName && `first name ${firstName}`, lastName && `last name ${lastName}`].filter(Boolean)
  return `Saved as ${parts.join(', ')}`
}

export const name: TypeEditor = {
  editor: (props) => <NameEditor {...props} />,
  typedEditor: (props) => <TypedText {...props} read={readName} explain={explainName} />,
}
