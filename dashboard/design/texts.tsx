import { Anchor } from '@mantine/core'
import { CodeBox } from '../ui/code-box.tsx'
import { Section } from '../ui/sections.tsx'

const CODE = `curl -H "Authorization: Bearer $KEY" \\\n  https://crm.example.com/api/v1/me`

export function Texts() {
  return (
    <Section title="Texts" description="Classes of ui/text.css, and text that is copied.">
      <div>
        <p className="title">Title of a page without a frame</p>
        <p>Text of a page, with an {<Anchor href="#texts">anchor</Anchor>} in it.</p>
        <p className="muted">Muted: notes on the content.</p>
        <p className="small">Small</p>
        <p className="tiny">Tiny</p>
        <p className="danger">Danger: what went wrong.</p>
        <p>
          <code>code_of_programs</code> and <kbd>⌘</kbd> <kbd>K</kbd>
        </p>
      </div>
      <CodeBox code={CODE} label="Copy the command" wraps />
    </Section>
  )
}
