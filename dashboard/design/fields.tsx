import { Checkbox, NumberInput, PasswordInput, Stack, Switch, Textarea, TextInput } from '@mantine/core'
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
      </Stack>
    </Section>
  )
}
