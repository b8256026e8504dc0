<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;File</source>
        <extracomment>(category, title) in the order of the menu bar.</extracomment>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Insert</source>
        <translation>插入(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Arrange</source>
        <translation>排列(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>检查(&amp;C)</translation>
    </message>
    <message>
        <source>A&amp;nalyse</source>
        <translation>分析(&amp;N)</translation>
    </message>
    <message>
        <source>E&amp;xport</source>
        <translation>导出(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建工程</translation>
    </message>
    <message>
        <source>New from template…</source>
        <translation>从模板新建…</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Close project</source>
        <translation>关闭工程</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Paste in place</source>
        <translation>原位粘贴</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Find on the sheet…</source>
        <translation>在图纸页上查找…</translation>
    </message>
    <message>
        <source>Search commands and parts…</source>
        <translation>搜索命令和部件…</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Select and move</source>
        <translation>选择与移动</translation>
    </message>
    <message>
        <source>Draw links</source>
        <translation>画链路</translation>
    </message>
    <message>
        <source>Draw links between ports</source>
        <translation>在端口之间画链路</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Cancel the gesture</source>
        <translation>取消当前操作</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom to 100 %</source>
        <translation>缩放到 100 %</translation>
    </message>
    <message>
        <source>Fit the sheet</source>
        <translation>适合图纸页</translation>
    </message>
    <message>
        <source>Fit the selection</source>
        <translation>适合所选</translation>
    </message>
    <message>
        <source>Link load</source>
        <translation>链路负载</translation>
    </message>
    <message>
        <source>Colour links by their load</source>
        <translation>按负载给链路着色</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Minimap</source>
        <translation>缩略图</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Open the part</source>
        <translation>打开部件</translation>
    </message>
    <message>
        <source>Back to the enclosing sheet</source>
        <translation>返回上一级图纸页</translation>
    </message>
    <message>
        <source>Select the next part</source>
        <translation>选择下一个部件</translation>
    </message>
    <message>
        <source>Select the previous part</source>
        <translation>选择上一个部件</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Place a part…</source>
        <translation>放置部件…</translation>
    </message>
    <message>
        <source>Link the selection…</source>
        <translation>连接所选…</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>成组</translation>
    </message>
    <message>
        <source>Ungroup</source>
        <translation>取消成组</translation>
    </message>
    <message>
        <source>Align left edges</source>
        <translation>左对齐</translation>
    </message>
    <message>
        <source>Align right edges</source>
        <translation>右对齐</translation>
    </message>
    <message>
        <source>Align top edges</source>
        <translation>顶端对齐</translation>
    </message>
    <message>
        <source>Align bottom edges</source>
        <translation>底端对齐</translation>
    </message>
    <message>
        <source>Equal horizontal gaps</source>
        <translation>水平等距</translation>
    </message>
    <message>
        <source>Equal vertical gaps</source>
        <translation>垂直等距</translation>
    </message>
    <message>
        <source>Tidy up the sheet</source>
        <translation>整理图纸页</translation>
    </message>
    <message>
        <source>Check now</source>
        <translation>立即检查</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>下一个问题</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>上一个问题</translation>
    </message>
    <message>
        <source>Fix the chosen problem</source>
        <translation>修复所选问题</translation>
    </message>
    <message>
        <source>Approve the chosen problem…</source>
        <translation>批准所选问题…</translation>
    </message>
    <message>
        <source>Predict now</source>
        <translation>立即预测</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Restart the analysis</source>
        <translation>重启分析</translation>
    </message>
    <message>
        <source>Diagram…</source>
        <translation>拓扑图…</translation>
    </message>
    <message>
        <source>Bill of materials…</source>
        <translation>物料清单…</translation>
    </message>
    <message>
        <source>Cable schedule…</source>
        <translation>线缆表…</translation>
    </message>
    <message>
        <source>Predictions…</source>
        <translation>预测结果…</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>部件库</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>用户指南</translation>
    </message>
    <message>
        <source>Keyboard shortcuts…</source>
        <translation>快捷键…</translation>
    </message>
    <message>
        <source>About Fabricwright</source>
        <translation>关于 Fabricwright</translation>
    </message>
</context>
<context>
    <name>CanvasView</name>
    <message>
        <source>Sheet</source>
        <translation>页次</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Favourites</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>PCIe switch cards</source>
        <translation>PCIe 交换卡</translation>
    </message>
    <message>
        <source>Retimers</source>
        <translation>Retimer 卡</translation>
    </message>
    <message>
        <source>CXL memory</source>
        <translation>CXL 内存</translation>
    </message>
    <message>
        <source>NICs and DPUs</source>
        <translation>网卡与 DPU</translation>
    </message>
    <message>
        <source>Switches</source>
        <translation>交换机</translation>
    </message>
    <message>
        <source>Boxes and risers</source>
        <translation>外置箱与转接卡</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Racks and power</source>
        <translation>机柜与供电</translation>
    </message>
</context>
<context>
    <name>PalettePanel</name>
    <message>
        <source>Remove from favourites</source>
        <translation>取消收藏</translation>
    </message>
    <message>
        <source>Add to favourites</source>
        <translation>加入收藏</translation>
    </message>
    <message>
        <source>Search parts</source>
        <extracomment>All commands, in menu order. Emitted with the id of every command that was triggered. Role of a card in the layout. Parts that may stand beside the chassis, fed by cables only. Colour of a consumer in the lane bar. Small things that need no card each: equal ones under the same parent become one stack. code -&gt; the language&apos;s own name, in the order of the menu. Emitted with the language code after the translators were exchanged. Other names for icons that exist. severity -&gt; (outline icon, filled icon, colour token, colour of the sign on it or of the surface in it) Below this size lines are drawn 2 grid units wide instead of 1.5, so that they stay over one device pixel. Room that a card may paint outside its box: layers, ports, shadow. (kind, rail, load step) -&gt; edges and their straight lines Kinds whose colour is the load while the heat map is on; the others keep theirs at 75 % opacity. Painted first, never picked before what stands on them. Drawing aids that are not rows of the document. Colour of a flat block by style, where no card has been made yet.</extracomment>
        <translation>搜索部件</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>部件库</translation>
    </message>
    <message>
        <source>No part is called that.</source>
        <translation>没有叫这个名称的部件。</translation>
    </message>
    <message>
        <source>Try a model, a maker or a kind.</source>
        <translation>可尝试型号、厂商或类别。</translation>
    </message>
</context>
<context>
    <name>PartFacts</name>
    <message>
        <source>x{lanes} to {modes}</source>
        <translation>x{lanes} 扇出 {modes}</translation>
    </message>
    <message>
        <source>internal</source>
        <translation>机内</translation>
    </message>
    <message>
        <source>external</source>
        <translation>机外</translation>
    </message>
    <message>
        <source>{count} GPUs</source>
        <translation>{count} GPU</translation>
    </message>
    <message>
        <source>{lanes} lanes PCIe {gen}.0</source>
        <translation>{lanes} 条 PCIe {gen}.0 通道</translation>
    </message>
</context>
</TS>
