/** Migrations are `.sql` files, brought into the bundle as text. */
declare module '*.sql?raw' {
  const text: string
  export default text
}

/** Default prompts are Markdown files, likewise. */
declare module '*.md?raw' {
  const text: string
  export default text
}
