// What a new plan begins with: a question, two who look at once, one who decides.
export const planTemplate = `# A plan: who works on what, after what, and with which cards.
switchyard: plan/1
name: first-look
inputs:
  - { name: question, kind: text }
nodes:
  - id: search
    kind: fork
    tasks:
      - { id: one, target: { ref: Researcher }, instruction: "What speaks for it: {input.question}" }
      - { id: two, target: { ref: Researcher }, instruction: "What speaks against it: {input.question}" }
  - id: verdict
    target: { ref: Researcher }
    instruction: Weigh both answers and decide.
    load: [{ from: search }] # its results, handed over as cards
result: verdict
`;
