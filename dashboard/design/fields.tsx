import { Checkbox, NumberInput, PasswordInput, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { RowsFieldset } from '../ui/rows-fieldset.tsx'
import { Section } from '../ui/sections.tsx'

export function Fields() {
  return (
    <Section title="Fields" description="Each in the states of a form.">
      <Stack maw={420}>
        <TextInput label="Name" description="What it is called" placeholder="Acme" required />
        <TextInput label="Filled" defaultValue="Acme" />
        <TextInput label="Refused" defaultValue="acme(at)" error="must be one email address" />
        <TextInput label="Locked" defaultValue="companies" readOnly variant="filled" />
        <TextInput label="Disabled" disabled />
        <NumberInput label="Employees" defaultValue={1200} thousandSeparator />
        <PasswordInput label="Password" defaultValue="correct horse" />
        <Textarea label="Notes" autosize minRows={2} />
        <Checkbox label="Required" description="A new record cannot be without it" />
        <Checkbox label="Chosen" defaultChecked />
        <Checkbox label="Some of them" indeterminate />
        <Switch label="Active" defaultChecked />
        <RowsFieldset
          label="Rows"
          description="What the rows are"
          error="may have at most one row"
          noun="row"
          isFull={false}
          onAdd={() => undefined}
        >
          <TextInput aria-label="Row 1" defaultValue="A row" />
        </RowsFieldset>
      </Stack>
    </Section>
  )
}
